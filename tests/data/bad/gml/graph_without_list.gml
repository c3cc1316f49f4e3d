graph 5
