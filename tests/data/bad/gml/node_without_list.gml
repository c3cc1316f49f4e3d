graph [
  node 5
]
