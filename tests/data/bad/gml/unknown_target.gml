graph [
  edge [ source 1 target 3 ]
  node [ id 1 ]
]
