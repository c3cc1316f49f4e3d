graph [ node [ id -5 ] node [ id 9000000000 ] edge [ source -5 target 9000000000 ] ]
