graph [
  node [ id one ]
]
