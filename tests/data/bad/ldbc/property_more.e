1 2 1 x y
2 1 1 x y
1 1 1 x y z
