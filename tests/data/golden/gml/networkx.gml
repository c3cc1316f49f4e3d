graph [
  directed 1
  multigraph 1
  node [
    id 0
    label "Zo&#235;"
  ]
  node [
    id 1
    label "b"
  ]
  edge [
    source 0
    target 1
    key 0
    weight 3
  ]
  edge [
    source 1
    target 1
    key 0
    weight 2
  ]
]
