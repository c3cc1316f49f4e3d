# from to
1 2
 # again
2 1
