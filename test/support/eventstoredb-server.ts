import { randomUUID } from 'node:crypto';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import {
  AccessDenied,
  AllStreamPosition,
  Empty,
  MaximumAppendSizeExceeded,
  StreamIdentifier,
  UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb.js';
import { Status } from '@eventstore/db-client/generated/status_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { BatchAppendReq, BatchAppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import {
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb.js';
import { Empty as GoogleEmpty } from 'google-protobuf/google/protobuf/empty_pb.js';

/** The default limit of one append in total; a real server counts a type's characters twice. */
const APPEND_BYTES_MAX = 1_048_576;
/** Responses of one call that wait for the client to take them. */
const RESPONSES_QUEUED_MAX = 2_048;
const BATCH_APPEND = 'batchappend';
const NOT_READY = { code: status.UNAVAILABLE, details: 'Server Is Not Ready' };

interface StoredEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

type NewStoredEvent = Pick<StoredEvent, 'id' | 'attributes' | 'data' | 'metadata'>;
/** −1: no stream; undefined: any. */
type Expected = number | undefined;
type AppendAnswer =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: bigint }
  | { readonly kind: 'repeated'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'denied' };

export interface EventStoreDbServerOptions {
  /** As an operator may set it (`MaxAppendSize`). */
  readonly appendBytesMax?: number;
  /** With it the server speaks TLS, and knows these users alone. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly users?: Readonly<
    Record<string, { readonly password: string; readonly mayReadAll: boolean; readonly mayWrite: boolean }>
  >;
}

/**
 * EventStoreDB as its client sees it, in memory: the real wire protocol for appends (in batches), reads and subscriptions,
 * with the idempotence, refusals and failures that were measured on a real server (`eventstoredb.md`). Events of the system
 * are among the others, as they are there. It can die and come back with its events.
 */
export class EventStoreDbServer {
  #server: Server | undefined;
  #port = 0;
  readonly #all: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #live = new Set<() => void>();
  #diesAfterAppend = false;
  #isMute = false;
  #hasLeader = true;
  #readsBehind = 0;
  #advertisedPort: number | undefined;
  readonly #appendBytesMax: number;

  constructor(private readonly options: EventStoreDbServerOptions = {}) {
    this.#appendBytesMax = options.appendBytesMax ?? APPEND_BYTES_MAX;
  }

  get port(): number {
    return this.#port;
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** The connection string of a cluster whose other node is gone. */
  get clusterConnectionString(): string {
    return `esdb://127.0.0.1:1,127.0.0.1:${this.#port}?tls=false`;
  }

  async start(): Promise<void> {
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    server.addService(ServerFeaturesService, { getSupportedMethods });
    server.addService(GossipService, {
      read: (_call: unknown, answer: sendUnaryData<ClusterInfo>) => answer(null, this.#cluster()),
    });
    server.addService(StreamsService, {
      batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => this.#batchAppend(call),
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => void this.#read(call),
      append: unimplemented,
      delete: unimplemented,
      tombstone: unimplemented,
    });
    this.#port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.#port}`, this.#credentials(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    this.#server = server;
  }

  #credentials(): ServerCredentials {
    const { tls } = this.options;
    if (!tls) return ServerCredentials.createInsecure();
    return ServerCredentials.createSsl(null, [
      { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) },
    ]);
  }

  /** The server's refusal if the call's user lacks the right; undefined if they have it, or if there are no users. */
  #refusal({ metadata }: { readonly metadata: Metadata }, right: 'read' | 'mayReadAll' | 'mayWrite') {
    const { users } = this.options;
    if (!users) return undefined;
    const exception = new Metadata();
    exception.set('exception', 'access-denied');
    const denied = { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata: exception };
    const [given] = metadata.get('authorization');
    if (given === undefined) return denied;
    const [name = '', password] = Buffer.from(String(given).slice('Basic '.length), 'base64').toString().split(':');
    const user = users[name];
    if (user?.password !== password) return { code: status.UNAUTHENTICATED, details: 'Unauthenticated' };
    return right === 'read' || user?.[right] === true ? undefined : denied;
  }

  /** Changes the log like somebody who edits its files; each event gets its new place. */
  tamper(change: (events: readonly StoredEvent[]) => readonly StoredEvent[]): void {
    const positions = this.#all.map(({ position }) => position);
    const changed = change([...this.#all]);
    this.#all.length = 0;
    this.#streams.clear();
    for (const [place, event] of changed.entries()) {
      const recorded = this.#streams.get(event.stream) ?? [];
      const moved = { ...event, position: positions[place] ?? event.position };
      this.#all.push(moved);
      this.#streams.set(event.stream, [...recorded, moved]);
    }
  }

  /** Breaks every connection at once, as a killed process does. `start` brings it back on the same port, events kept. */
  kill(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
    this.#live.clear();
  }

  /**
   * The other nodes of its cluster are gone: the server stays, knows no leader, and takes no calls. Calls in progress
   * continue.
   */
  loseQuorum(): void {
    this.#hasLeader = false;
  }

  /** It leads again. */
  findQuorum(): void {
    this.#hasLeader = true;
  }

  /** Every node of its cluster sends clients to this port of 127.0.0.1. */
  advertise(port: number): void {
    this.#advertisedPort = port;
  }

  /** The next append takes effect, and the server dies before it answers. */
  dieAfterNextAppend(): void {
    this.#diesAfterAppend = true;
  }

  /** Appends take effect and are not answered, until `false`. */
  setMute(isMute: boolean): void {
    this.#isMute = isMute;
  }

  /** The next reads of all streams, this many, do not find the newest event yet, as on a node that follows another. */
  fallBehind(reads: number): void {
    this.#readsBehind = reads;
  }

  /** The first call of a client with several hosts: it asks for the leader. */
  #cluster(): ClusterInfo {
    const endPoint = new EndPoint();
    endPoint.setAddress('127.0.0.1');
    endPoint.setPort(this.#advertisedPort ?? this.#port);
    const member = new MemberInfo();
    member.setInstanceId(new UUID());
    member.getInstanceId()?.setString(randomUUID());
    member.setState(this.#hasLeader ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.UNKNOWN);
    member.setIsAlive(true);
    member.setHttpEndPoint(endPoint);
    const cluster = new ClusterInfo();
    cluster.addMembers(member);
    return cluster;
  }

  #batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void {
    if (!this.#hasLeader) return void call.emit('error', NOT_READY);
    const gathering = new Map<string, { options: BatchAppendReq.Options; events: NewStoredEvent[] }>();
    call.on('data', (request: BatchAppendReq) => {
      const correlation = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      if (options) gathering.set(correlation, { options, events: [] });
      const append = gathering.get(correlation);
      if (!append) return void call.destroy(new Error('a batch without options'));
      append.events.push(...request.getProposedMessagesList().map(eventOf));
      if (!request.getIsFinal()) return;
      gathering.delete(correlation);
      const stream = nameOf(append.options.getStreamIdentifier());
      const isDenied = this.#refusal(call, 'mayWrite') !== undefined;
      const answer = isDenied
        ? { kind: 'denied' as const }
        : this.#append(stream, append.events, expectedOf(append.options));
      if (this.#diesAfterAppend) {
        this.#diesAfterAppend = false;
        return this.kill();
      }
      if (!this.#isMute) call.write(responseOf(correlation, append.options, answer));
    });
    call.on('end', () => call.end());
    call.on('error', () => call.end());
  }

  #append(stream: string, events: readonly NewStoredEvent[], expected: Expected): AppendAnswer {
    const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
    if (bytes > this.#appendBytesMax) return { kind: 'too-large', limit: this.#appendBytesMax };
    const recorded = this.#streams.get(stream) ?? [];
    const head = recorded.length - 1;

    // Ids alone are compared: other bytes under the same ids, or ids that begin what is there, count as a repeat.
    const first = expected === undefined ? recorded.findLastIndex((event) => event.id === events[0]?.id) : expected + 1;
    const isAhead = expected !== undefined && expected !== head;
    if (isAhead || (expected === undefined && first >= 0)) {
      const isRepeat = events.every((event, index) => recorded[first + index]?.id === event.id);
      return isRepeat ? { kind: 'repeated', revision: first + events.length - 1 } : { kind: 'conflict', actual: head };
    }

    if (head < 0) this.#recordSystemEvent(stream);
    this.#streams.set(stream, recorded);
    for (const event of events) recorded.push(this.#record(stream, recorded.length, event));
    for (const wake of this.#live) wake();
    return { kind: 'appended', revision: recorded.length - 1, position: recorded.at(-1)?.position ?? 0n };
  }

  /** Adds a link to the first event of each new stream, as the projection $streams does. */
  #recordSystemEvent(stream: string): void {
    const links = this.#streams.get('$streams') ?? [];
    this.#streams.set('$streams', links);
    const id = `00000000-0000-4000-8000-${links.length.toString(16).padStart(12, '0')}`;
    const attributes = [['type', '$>'] as const, ['content-type', 'application/octet-stream'] as const];
    const link = { id, attributes, data: Buffer.from(`0@${stream}`), metadata: new Uint8Array() };
    links.push(this.#record('$streams', links.length, link));
  }

  #record(stream: string, revision: number, event: NewStoredEvent): StoredEvent {
    const last = this.#all.at(-1);
    const position = last ? last.position + BigInt(sizeOf(last) + 120) : 0n;
    const recorded = { ...event, position, stream, revision };
    this.#all.push(recorded);
    return recorded;
  }

  async #read(call: ServerWritableStream<ReadReq, ReadResp>): Promise<void> {
    if (!this.#hasLeader) return void call.emit('error', NOT_READY);
    const options = call.request.getOptions();
    if (!options) return void call.destroy(new Error('a read without options'));
    const refusal = this.#refusal(call, options.hasAll() ? 'mayReadAll' : 'read');
    if (refusal) return void call.emit('error', refusal);
    if (options.hasSubscription()) return this.#subscribe(call, options);

    const isBackwards = options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS;
    const streamOptions = options.getStream();
    let selected: readonly StoredEvent[];
    if (streamOptions) {
      const stream = nameOf(streamOptions.getStreamIdentifier());
      const recorded = this.#streams.get(stream);
      if (!recorded) {
        const missing = new ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream));
        call.write(new ReadResp().setStreamNotFound(missing));
        return void call.end();
      }
      selected = ofStream(recorded, streamOptions, isBackwards);
    } else {
      const known = this.#readsBehind > 0 ? this.#all.slice(0, -1) : this.#all;
      this.#readsBehind -= 1;
      selected = ofAll(known, options.getAll(), isBackwards);
    }
    const count = Number(options.getCount());
    for (const event of selected.slice(0, count)) {
      if (call.cancelled) return;
      await send(call, new ReadResp().setEvent(readEventOf(event)));
    }
    call.end();
  }

  async #subscribe(call: ServerWritableStream<ReadReq, ReadResp>, options: ReadReq.Options): Promise<void> {
    const from = options.getAll();
    let next = 0;
    if (from?.hasEnd()) next = this.#all.length;
    if (from?.hasPosition()) {
      const position = BigInt(from.getPosition()?.getCommitPosition() ?? '0');
      next = this.#all.findIndex((event) => event.position > position);
      if (next < 0) next = this.#all.length;
    }
    const isWanted = filterOf(options.getFilter());
    await send(
      call,
      new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId('subscription')),
    );
    let wake: (() => void) | undefined;
    const onMore = () => wake?.();
    this.#live.add(onMore);
    call.on('cancelled', onMore);
    let hasCaughtUp = false;
    while (!call.cancelled && !call.destroyed) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const event = this.#all[next];
      if (event) {
        next += 1;
        if (isWanted(event)) await send(call, new ReadResp().setEvent(readEventOf(event)));
        else if (next % 100 === 0 && options.hasFilter()) await send(call, checkpointAt(event.position));
        continue;
      }
      if (!hasCaughtUp) await send(call, new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));
      hasCaughtUp = true;
      await more;
    }
    this.#live.delete(onMore);
  }
}

function getSupportedMethods(
  _: ServerUnaryCall<Empty, SupportedMethods>,
  answer: sendUnaryData<SupportedMethods>,
): void {
  const method = new SupportedMethod()
    .setServiceName('event_store.client.streams.streams')
    .setMethodName(BATCH_APPEND)
    .setFeaturesList([]);
  answer(null, new SupportedMethods().setMethodsList([method]).setEventStoreServerVersion('23.10.0.0'));
}

function unimplemented(call: { destroy(error: Error): void }): void {
  call.destroy(new Error('not part of this server'));
}

/**
 * Waits while the client takes no more; a cancelled call takes nothing. Lets many responses queue up: waiting for each
 * handful would cost the network's delayed acknowledgement, 40 ms, each time.
 */
function send(call: ServerWritableStream<ReadReq, ReadResp>, response: ReadResp): Promise<void> {
  return new Promise((resolve) => {
    if (call.cancelled || call.write(response) || call.writableLength < RESPONSES_QUEUED_MAX) return resolve();
    const done = () => {
      for (const event of ['drain', 'cancelled', 'close']) call.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'cancelled', 'close']) call.on(event, done);
  });
}

function eventOf(message: BatchAppendReq.ProposedMessage): NewStoredEvent {
  return {
    id: message.getId()?.getString() ?? '',
    attributes: message.getMetadataMap().toArray(),
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

function sizeOf(event: NewStoredEvent): number {
  const type = event.attributes.find(([name]) => name === 'type')?.[1] ?? '';
  return event.data.length + event.metadata.length + 2 * type.length;
}

function expectedOf(options: BatchAppendReq.Options): Expected {
  if (options.hasNoStream()) return -1;
  return options.hasStreamPosition() ? Number(options.getStreamPosition()) : undefined;
}

function responseOf(correlation: string, options: BatchAppendReq.Options, answer: AppendAnswer): BatchAppendResp {
  const response = new BatchAppendResp()
    .setCorrelationId(new UUID().setString(correlation))
    .setStreamIdentifier(options.getStreamIdentifier());
  switch (answer.kind) {
    case 'appended': {
      const position = new AllStreamPosition()
        .setCommitPosition(answer.position.toString())
        .setPreparePosition(answer.position.toString());
      return response.setSuccess(
        new BatchAppendResp.Success().setCurrentRevision(answer.revision.toString()).setPosition(position),
      );
    }
    case 'repeated':
      return response.setSuccess(
        new BatchAppendResp.Success().setCurrentRevision(answer.revision.toString()).setNoPosition(new GoogleEmpty()),
      );
    case 'conflict': {
      const details = new WrongExpectedVersion();
      if (options.hasNoStream()) details.setExpectedNoStream(new GoogleEmpty());
      else if (options.hasStreamPosition()) details.setExpectedStreamPosition(options.getStreamPosition());
      else details.setExpectedAny(new GoogleEmpty());
      if (answer.actual < 0) details.setCurrentNoStream(new GoogleEmpty());
      else details.setCurrentStreamRevision(answer.actual.toString());
      return response.setError(statusOf(details.serializeBinary(), 'event_store.client.WrongExpectedVersion'));
    }
    case 'denied':
      return response.setError(statusOf(new AccessDenied().serializeBinary(), 'event_store.client.AccessDenied'));
    case 'too-large': {
      const details = new MaximumAppendSizeExceeded().setMaxappendsize(answer.limit);
      return response.setError(statusOf(details.serializeBinary(), 'event_store.client.MaximumAppendSizeExceeded'));
    }
  }
}

function statusOf(details: Uint8Array, type: string): Status {
  const any = new Any();
  any.pack(details, type);
  return new Status().setMessage('').setDetails(any);
}

function ofStream(
  recorded: readonly StoredEvent[],
  options: ReadReq.Options.StreamOptions,
  isBackwards: boolean,
): readonly StoredEvent[] {
  if (!isBackwards) return recorded.slice(options.hasRevision() ? Number(options.getRevision()) : 0);
  return recorded.slice(0, options.hasRevision() ? Number(options.getRevision()) + 1 : undefined).toReversed();
}

/** Forwards from the event at the position on, backwards from the one before it. */
function ofAll(
  all: readonly StoredEvent[],
  options: ReadReq.Options.AllOptions | undefined,
  isBackwards: boolean,
): readonly StoredEvent[] {
  const given = options?.getPosition()?.getCommitPosition();
  if (given === undefined) return isBackwards ? all.toReversed() : all;
  const position = BigInt(given);
  return isBackwards
    ? all.filter((event) => event.position < position).toReversed()
    : all.filter((event) => event.position >= position);
}

function filterOf(options: ReadReq.Options.FilterOptions | undefined): (event: StoredEvent) => boolean {
  const names = options?.getStreamIdentifier();
  if (!names) return () => true;
  const prefixes = names.getPrefixList();
  if (prefixes.length > 0) return (event) => prefixes.some((prefix) => event.stream.startsWith(prefix));
  const pattern = new RegExp(names.getRegex());
  return (event) => pattern.test(event.stream);
}

function readEventOf(event: StoredEvent): ReadResp.ReadEvent {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(event.revision.toString())
    .setCommitPosition(event.position.toString())
    .setPreparePosition(event.position.toString())
    .setCustomMetadata(event.metadata)
    .setData(event.data);
  for (const [name, value] of event.attributes) recorded.getMetadataMap().set(name, value);
  return new ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(event.position.toString());
}

function checkpointAt(position: bigint): ReadResp {
  return new ReadResp().setCheckpoint(
    new ReadResp.Checkpoint().setCommitPosition(position.toString()).setPreparePosition(position.toString()),
  );
}

function identifierOf(stream: string): StreamIdentifier {
  return new StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
}

function nameOf(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}
