Creator "Weft"
graph [
  directed 1
  weftIds "label"
  node [ id 0 label "10" ]
  node [ id 1 label "Zo&#235; &amp; &quot;Jo&quot;" ]
  node [ id 2 label "" ]
  edge [ source 1 target 0 weight 2.0 ]
]
