# ids
1
# more
2
