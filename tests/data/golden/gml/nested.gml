graph [
 comment "x ] y"
 meta [ a [ b 1 c [ ] ] d "]" ]
 node [ id 0 graphics [ x 1.5 y -2 fill "#00ff00" ] ]
 node [ graphics [ ] id 1 ]
 edge [ source 0 graphics [ type "line" Line [ point [ x 0 ] ] ] target 1 ]
]
tail [ t 1 ]
