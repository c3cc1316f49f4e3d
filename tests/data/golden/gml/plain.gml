graph [
  node [ id 1 ]
  node [ id 2 ]
  node [ id 5 ]
  edge [ source 1 target 2 ]
]
