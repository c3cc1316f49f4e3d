graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 weight 2.5 ] edge [ source 1 target 1 weight -1 ] ]
