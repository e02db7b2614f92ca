-- A database as the program of version 2 made it, when there was no Alembic, with a little in it.
CREATE TABLE blocks (
    person TEXT NOT NULL, blocked TEXT NOT NULL,
    PRIMARY KEY (person, blocked)
) WITHOUT ROWID, STRICT;
CREATE TABLE events (
    table_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, client_id TEXT, body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq), UNIQUE (table_id, client_id)
) WITHOUT ROWID, STRICT;
CREATE TABLE forgotten (
    person TEXT NOT NULL, at INTEGER NOT NULL, done INTEGER NOT NULL,
    PRIMARY KEY (person)
) WITHOUT ROWID, STRICT;
CREATE TABLE people (
    person TEXT NOT NULL, name TEXT NOT NULL, made_at INTEGER NOT NULL,
    PRIMARY KEY (person)
) STRICT;
CREATE TABLE reports (
    table_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, person TEXT NOT NULL, accused TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID, STRICT;
CREATE TABLE returns (
    token_hash TEXT NOT NULL, person TEXT NOT NULL, expires INTEGER NOT NULL,
    PRIMARY KEY (token_hash)
) STRICT;
CREATE TABLE seated (
    person TEXT NOT NULL, table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) WITHOUT ROWID, STRICT;
CREATE TABLE sessions (
    token_hash TEXT NOT NULL, person TEXT NOT NULL, made_at INTEGER NOT NULL,
    PRIMARY KEY (token_hash)
) STRICT;
CREATE TABLE spoke (
    person TEXT NOT NULL, table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) WITHOUT ROWID, STRICT;
CREATE TABLE tables (
    table_id TEXT NOT NULL, open INTEGER NOT NULL, phase TEXT NOT NULL, made_at INTEGER NOT NULL, touched_at INTEGER NOT NULL,
    PRIMARY KEY (table_id)
) STRICT;
CREATE INDEX tables_by_time ON tables (touched_at);
INSERT INTO tables VALUES ('ABCDEF2', 1, 'lobby', 1795172578000, 1795172579000);
INSERT INTO events VALUES
    ('ABCDEF2', 1, 1795172578001, NULL, '{"type":"sat","seat":0,"person":"p1","name":"Bob"}'),
    ('ABCDEF2', 2, 1795172578002, 'p2:c1',
        '{"type":"chatted","person":"p2","name":"Cy","seat":null,"text":"hello: all","phrase":null}'),
    ('ABCDEF2', 3, 1795172578003, NULL,
        '{"type":"reported","person":"p3","accused":"p1","reason":"rude"}');
INSERT INTO seated VALUES ('p1', 'ABCDEF2');
INSERT INTO spoke VALUES ('p2', 'ABCDEF2'), ('p3', 'ABCDEF2');
INSERT INTO reports VALUES ('ABCDEF2', 3, 1795172578003, 'p3', 'p1', 'rude');
INSERT INTO people VALUES ('p1', 'Bob', 1795172578000), ('p2', 'Cy', 1795172578000);
INSERT INTO sessions VALUES ('hash-1', 'p1', 1795172578000), ('hash-2', 'p2', 1795172578000);
INSERT INTO blocks VALUES ('p1', 'p2');
INSERT INTO returns VALUES ('link-1', 'p2', 1795172579000);
INSERT INTO forgotten VALUES ('p9', 1795172578000, 1);
PRAGMA user_version = 2;
