Creator "a
b
"
graph [ label "x
]
y" node [ id 0 label "two
lines" ] node [ id 1 ] edge [ source 0 target 1 label "e
" ] ]
