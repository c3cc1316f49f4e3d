1 x
