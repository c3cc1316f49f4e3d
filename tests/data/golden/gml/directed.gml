Creator "me"
Version 1
graph
[
  directed 1
  node [ id 0 label "a" ]
  node [ id 1 label "b" ]
  edge [ source 1 target 0 value 3 ]
  edge [ source 0 target 1 value 4 ]
]
