# first
graph [ # here
 node [ id 0 ] # "not a string
 # edge [
 node [ id 1 ]
 edge [ source 0 target 1 ]
]
# last