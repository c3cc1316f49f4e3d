graph [ edge [ source 7 target 3 ] node [ id 7 ] node [ id 3 ] ]
