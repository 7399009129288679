/**
 * Loaded into the API's process by its launcher (`node --import`): when the launcher is killed, the channel to it closes,
 * and the API shuts down as if it had been asked to, instead of keeping the port and the database for nobody.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
