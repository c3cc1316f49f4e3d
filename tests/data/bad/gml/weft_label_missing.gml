graph [
  weftIds "label"
  node [ id 0 ]
]
