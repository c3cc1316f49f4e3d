PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE edges(source int, target int);
INSERT INTO edges VALUES(1,2);
COMMIT;
