/**
 * `node tools/demo/main.mjs` (`npm run demo`): fills an installation that runs with `DEMO_DATA` with members, chats and posts,
 * once, through its public API, and says how to sign in. `npm start` runs it by itself. `--members N`: a smaller demo, sooner.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DemoFiller, emailOf, signInOf } from './fill.mjs';
import { ADMIN, MEMBERS } from './members.mjs';

/** All members can sign in, but a start should not fill the terminal. */
const SIGN_INS_SHOWN = 8;

const dataDir = path.resolve(process.env.NOVA_DATA_DIR?.trim() || '.nova');
const port = process.env.PORT?.trim() || '3000';
const wordFile = path.join(dataDir, 'secrets', 'demo-word');
const doneFile = path.join(dataDir, 'demo-filled');

const { values } = parseArgs({ options: { members: { type: 'string', default: String(MEMBERS.length) } } });
const memberCount = Number(values.members);

const say = (line) => console.log(line);

function saySignIns({ password, pin }) {
  say('Demo data: sign in as any of these.');
  say(`  admin     ${emailOf(ADMIN.name)}`);
  say(
    `  members   ${MEMBERS.slice(0, SIGN_INS_SHOWN)
      .map(({ name }) => emailOf(name))
      .join(', ')}`,
  );
  say(`  password  ${password}   (recovery PIN ${pin})`);
}

async function fill() {
  const begun = performance.now();
  const signIn = signInOf(dataDir);
  const filler = new DemoFiller({
    url: `http://127.0.0.1:${port}`,
    publicUrl: process.env.PUBLIC_URL?.trim() || `http://localhost:${port}`,
    word: readFileSync(wordFile, 'utf8').trim(),
    dataDir,
    memberCount,
    say,
  });
  await filler.signEverybodyIn(signIn);
  saySignIns(signIn);
  say('Filling the demo with chats, portraits, clips and posts (once). Nova can be used meanwhile …');
  await filler.fill();
  writeFileSync(doneFile, 'The demo is complete. Without this file, the next start checks it again.\n');
  await filler.signEverybodyOut();
  say(
    `The demo is filled: ${Math.min(memberCount, MEMBERS.length)} members (${((performance.now() - begun) / 1000).toFixed(1)} s).`,
  );
}

if (existsSync(wordFile) && !existsSync(doneFile)) {
  try {
    await fill();
  } catch (error) {
    say(`The demo is not complete. The next start continues it. ${error.message} ${error.cause?.message ?? ''}`);
    process.exitCode = 1;
  }
} else if (existsSync(path.join(dataDir, 'secrets', 'demo-sign-in'))) {
  saySignIns(signInOf(dataDir));
} else {
  say('There is no demo here. It needs a server with DEMO_DATA=true, and an installation that nobody has used.');
  process.exitCode = 1;
}
