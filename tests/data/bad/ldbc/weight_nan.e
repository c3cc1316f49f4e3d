1 2 nan
