graph [
  node [ id ]
]
