graph [
  node [ id 1 ]
  edge [ source 2 target 1 ]
]
