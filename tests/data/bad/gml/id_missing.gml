graph [
  node [ label "x" ]
]
