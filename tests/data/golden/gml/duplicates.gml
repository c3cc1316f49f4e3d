graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value 5 ] edge [ source 2 target 1 value 3 ] ]
