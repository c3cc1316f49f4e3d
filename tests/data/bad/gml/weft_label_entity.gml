graph [
  node [ id 0 label "a&uuml;" ]
  weftIds "label"
]
