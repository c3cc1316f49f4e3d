graph [
  edge [ source 1 target 3 ]
]
