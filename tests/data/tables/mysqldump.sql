-- MySQL dump 10.13  Distrib 8.0.36
--
DROP TABLE IF EXISTS `edges`;
CREATE TABLE `edges` (`source` int, `target` int);
INSERT INTO `edges` VALUES (1,2),(2,3);
