graph [
  label "never ends
  node [ id 1 ]
]
