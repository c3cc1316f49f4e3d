1Symmetrical pattern of a small structure                               |SMALL1  
             9             1             8             0
psa                        3             3             8             0
(8I10)          (8I10)
         1         3         6         8
         1         2         1         2         3         2         3         3
