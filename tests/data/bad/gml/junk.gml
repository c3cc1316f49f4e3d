graph [
  {node}
]
