/**
 * Loaded into processes that a launcher starts (`node --import`). When the launcher is killed, its channel closes, and
 * the process shuts down as if asked to, instead of keeping its port and the database for nobody.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
