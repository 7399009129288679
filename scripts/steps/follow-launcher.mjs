/**
 * Loaded into what a launcher starts (`node --import`): when the launcher is killed, the channel to it closes, and the
 * process shuts down as if it had been asked to, instead of keeping its port and the database for nobody.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
