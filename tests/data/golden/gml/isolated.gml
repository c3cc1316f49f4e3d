graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] ]
