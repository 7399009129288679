import * as fc from 'fast-check';
import type { TestApi } from '../support/api.js';
import { type Call, callsOf, type OpenApiDocument } from './openapi.js';
import type { Cast, Person } from './people.js';
import { type FuzzRequest, requestTo } from './request.js';
import { asCurl, closeConnections, type FuzzAnswer, send } from './send.js';
import { faultOf } from './verdict.js';

export interface FuzzOptions {
  readonly seed: number;
  /** Requests to each call from each person who may make it. */
  readonly requestsEach: number;
  /** No new call is begun after it. */
  readonly deadlineMs?: number;
}

export interface FuzzReport {
  readonly calls: number;
  readonly requests: number;
  /** Calls that were not reached before the deadline. */
  readonly left: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What went wrong, each with the request as a line for a shell. */
  readonly faults: readonly string[];
}

/** Beyond it the server may hang up without reading to the end. */
const BODY_BYTES_MAX = 16_384;
const FAULTS_MAX = 40;

/**
 * Every call of the OpenAPI document, from each person: the same seed sends the same requests. What a request changes stays
 * changed for those after it.
 */
export async function fuzz(api: TestApi, { people, known }: Cast, options: FuzzOptions): Promise<FuzzReport> {
  const document = (await api.browser().get('/api/openapi.json')).body as OpenApiDocument;
  const calls = callsOf(document);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let [requests, done] = [0, 0];
  for (const [index, call] of calls.entries()) {
    if (Date.now() > (options.deadlineMs ?? Infinity) || faults.length >= FAULTS_MAX) break;
    for (const [at, person] of people.entries()) {
      const seed = options.seed + index * people.length + at;
      for (const drawn of fc.sample(requestTo(call, known), { seed, numRuns: shareOf(person, call, options) })) {
        const request = { ...drawn, headers: { ...person.headers(), ...drawn.headers } };
        const { status, fault } = await answerTo(api.url, request);
        requests += 1;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (fault !== undefined) faults.push(`${person.role} ${fault}\n  ${asCurl(api.url, request)}`);
      }
      await person.renew();
    }
    done += 1;
  }
  closeConnections();
  return { calls: done, requests, left: calls.length - done, statuses, faults };
}

/** Visitors, and applications beyond their own calls, are turned away at the door: few of their requests try that. */
function shareOf({ role }: Person, { path, isPublic }: Call, { requestsEach }: FuzzOptions): number {
  const atTheDoor = (role === 'visitor' && !isPublic) || (role === 'application' && !FOR_APPLICATIONS.test(path));
  return atTheDoor ? 1 : requestsEach;
}

const FOR_APPLICATIONS = /^\/(?:api\/tokens|api\/oauth|oauth)\//;

async function answerTo(url: string, request: FuzzRequest): Promise<{ status: number; fault: string | undefined }> {
  try {
    const answer: FuzzAnswer = await send(url, request);
    return { status: answer.status, fault: faultOf(request, answer) };
  } catch (error) {
    const isTooLarge = request.body !== undefined && Buffer.byteLength(request.body) > BODY_BYTES_MAX;
    return { status: 0, fault: isTooLarge ? undefined : `no answer: ${String(error)}` };
  }
}
