import { CALL_RINGS_MS } from '@app/domain';
import { serverNowMs } from '@/shared/api/server-clock';
import type { ClientFrame } from '@/shared/realtime';
import { liveTracks, type MediaKind, mediaSentence, openMedia, stopMedia, withDevice } from './media';
import { PeerCall, readSignal, type Shows } from './peer-call';

/**
 * `calling`: it rings at the other side; `joining`: the two browsers look for each other; `reconnecting`: they lost each
 * other.
 */
export type CallStage = 'ready' | 'calling' | 'joining' | 'connected' | 'reconnecting' | 'ended';

/**
 * Why a call is over. `left`: this page was left, or loaded anew; `elsewhere`: the member hung up on another page;
 * `moved`: it goes on there; `chat-over`: the chat has ended, and the call with it.
 */
export type CallEnd =
  'hung-up' | 'left' | 'elsewhere' | 'other-hung-up' | 'declined' | 'unanswered' | 'lost' | 'moved' | 'chat-over';

export interface CallState {
  readonly stage: CallStage;
  readonly end: CallEnd | null;
  /** What the member can do something about. */
  readonly problem: string | null;
  /** The member's own camera and microphone while they are open. */
  readonly local: MediaStream | null;
  readonly isMuted: boolean;
  readonly isCameraOff: boolean;
  readonly remote: MediaStream | null;
  /** What the other side shows. */
  readonly theirs: Shows;
  /** When the two were first connected, in milliseconds by the server's clock. */
  readonly connectedAt: number | null;
  readonly endedAt: number | null;
}

const READY: CallState = {
  stage: 'ready',
  end: null,
  problem: null,
  local: null,
  isMuted: false,
  isCameraOff: false,
  remote: null,
  theirs: { camera: true, microphone: true },
  connectedAt: null,
  endedAt: null,
};

export interface VideoCallOptions {
  readonly chatId: string;
  readonly myId: string;
  readonly otherId: string;
  /** The page was left in the middle of a call, and has come back. */
  readonly wasLeft: boolean;
}

/** How the two browsers find each other. */
export interface CallLine {
  /** False if nothing was sent because there is no connection. */
  readonly send: (frame: ClientFrame) => boolean;
  readonly iceServers: RTCIceServer[];
}

/** While two browsers look for each other, they try another way this often, and give up after a while. */
const RETRY_MS = 4_000;
const GIVE_UP_MS = 40_000;

const OFFLINE = 'Not connected. Try again in a moment.';

/** One page's side of a chat's calls, signalled over the live connection (rule chats-20). */
export class VideoCall {
  private current: CallState;
  private line: CallLine = { send: () => false, iceServers: [] };
  private readonly listeners = new Set<() => void>();
  private sessionId: string | null = null;
  private peer: PeerCall | null = null;
  /** Own starts whose frame has not come back: any other own start was made on another page. */
  private startsUnderWay = 0;
  /** Counts each opening and closing of the media: a stream that opens under an earlier number comes too late. */
  private opening = 0;
  private choosing: Promise<void> = Promise.resolve();
  private ringing: ReturnType<typeof setTimeout> | undefined;
  private searching: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: VideoCallOptions) {
    this.current = options.wasLeft ? { ...READY, stage: 'ended', end: 'left' } : READY;
  }

  use(line: CallLine): void {
    this.line = line;
  }

  get state(): CallState {
    return this.current;
  }

  get isIn(): boolean {
    const { stage } = this.current;
    return stage !== 'ready' && stage !== 'ended';
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls the other side, or answers their call. */
  async start({ answers }: { answers: boolean }): Promise<void> {
    if (this.isIn || !(await this.open())) return;
    if (!this.sendStart()) {
      this.closeMedia();
      this.change({ stage: 'ready', end: null, problem: OFFLINE });
      return;
    }
    const { isMuted, isCameraOff, local } = this.current;
    this.change({ ...READY, isMuted, isCameraOff, local, stage: answers ? 'joining' : 'calling' });
    if (answers) this.search();
    else this.ringing = setTimeout(() => this.leave('unanswered'), CALL_RINGS_MS);
  }

  hangUp(): void {
    this.leave('hung-up');
  }

  toggleMuted(): void {
    const isMuted = !this.current.isMuted;
    turn(this.current.local?.getAudioTracks(), !isMuted);
    this.change({ isMuted });
    this.tellWhatIsShown();
  }

  toggleCamera(): void {
    const isCameraOff = !this.current.isCameraOff;
    turn(this.current.local?.getVideoTracks(), !isCameraOff);
    this.change({ isCameraOff });
    this.tellWhatIsShown();
  }

  /** Changes the camera or the microphone, one after the other. */
  choose(kind: MediaKind, deviceId: string): Promise<void> {
    const change = () => this.changeDevice(kind, deviceId);
    this.choosing = this.choosing.then(change, change);
    return this.choosing;
  }

  private async changeDevice(kind: MediaKind, deviceId: string): Promise<void> {
    const { local } = this.current;
    if (local === null) return;
    const opening = (this.opening += 1);
    const { stream, problem } = await withDevice(local, kind, deviceId);
    if (opening !== this.opening) {
      stopMedia(stream);
      return;
    }
    this.take(stream, problem);
    await this.peer?.show(stream);
    this.tellWhatIsShown();
  }

  /** Somebody started the call, which everybody's pages are told. */
  started(sessionId: string, startedBy: string): void {
    if (!this.isIn) return;
    const isMine = startedBy === this.options.myId;
    if (isMine && this.startsUnderWay === 0) {
      this.close('moved');
      return;
    }
    if (isMine) this.startsUnderWay -= 1;
    this.sessionId = sessionId;
    const { stage } = this.current;
    if (stage === 'calling') {
      if (!isMine) this.connect();
    } else if (isMine) {
      // After the other side has found its way back, its page knows of this one only now.
      if (this.peer === null) this.connect();
    } else if (stage !== 'joining' || this.peer !== null) {
      // The other side comes anew, from another page or after theirs was gone: this page answers at once.
      this.dropPeer();
      this.change({ stage: this.current.connectedAt === null ? 'joining' : 'reconnecting', remote: null });
      this.search();
      this.sendStart();
    }
  }

  signal(sessionId: string, from: string, value: unknown): void {
    const signal = readSignal(value);
    if (from !== this.options.otherId || sessionId !== this.sessionId || signal === undefined) return;
    if (signal.shows !== undefined) this.change({ theirs: signal.shows });
    // What does not fit belongs to an earlier try; the two go on looking for each other.
    else this.peer?.receive(signal).catch(() => undefined);
  }

  declined(by: string): void {
    if (this.current.stage === 'calling' && by === this.options.otherId) this.close('declined');
  }

  /** Ended by one of the two. */
  ended(sessionId: string, endedBy: string): void {
    if (this.isIn && (this.sessionId === null || sessionId === this.sessionId)) {
      this.close(endedBy === this.options.myId ? 'elsewhere' : 'other-hung-up');
    }
  }

  /** The server knows this call no more. */
  isGone(): void {
    if (this.isIn) this.close('lost');
  }

  /** The chat has ended. */
  chatOver(): void {
    if (this.isIn) this.close('chat-over');
  }

  /** The server refused to begin a call. */
  refused(sentence: string): void {
    if (!this.isIn || this.sessionId !== null) return;
    this.close('lost');
    this.change({ ...READY, problem: sentence });
  }

  /** The network or the live connection is back. */
  reconnect(): void {
    if (this.peer?.isConnected === false) this.peer.reconnect();
    this.tellWhatIsShown();
  }

  /** Ends whatever goes on: the page is left. */
  leave(end: CallEnd): void {
    const { chatId } = this.options;
    if (this.isIn && this.sessionId !== null) this.line.send({ type: 'video_end', chatId, sessionId: this.sessionId });
    this.close(end);
  }

  private sendStart(): boolean {
    const isSent = this.line.send({ type: 'video_start', chatId: this.options.chatId });
    if (isSent) this.startsUnderWay += 1;
    return isSent;
  }

  private connect(): void {
    const { chatId, myId, otherId } = this.options;
    const { sessionId } = this;
    const { local } = this.current;
    if (sessionId === null || local === null) return;
    clearTimeout(this.ringing);
    this.dropPeer();
    const peer = new PeerCall({
      iceServers: this.line.iceServers,
      polite: myId < otherId,
      send: (signal) => this.line.send({ type: 'video_signal', chatId, sessionId, signal }),
      onRemoteStream: (remote) => this.change({ remote }),
      onState: (state) => {
        if (this.peer === peer) this.peerChanged(state);
      },
    });
    this.peer = peer;
    if (this.current.connectedAt === null) this.change({ stage: 'joining' });
    this.search();
    this.tellWhatIsShown();
    void peer.show(local);
  }

  private peerChanged(state: RTCPeerConnectionState): void {
    if (state === 'connected') {
      this.stopSearching();
      this.change({ stage: 'connected', connectedAt: this.current.connectedAt ?? serverNowMs(), problem: null });
      this.tellWhatIsShown();
    } else if ((state === 'disconnected' || state === 'failed') && this.current.stage !== 'reconnecting') {
      if (this.current.connectedAt !== null) this.change({ stage: 'reconnecting' });
      this.search();
      if (state === 'failed') this.peer?.reconnect();
    }
  }

  /** Until the two are connected, tries again at intervals, and gives up in the end. */
  private search(): void {
    if (this.searching !== undefined) return;
    let waitedMs = 0;
    this.searching = setInterval(() => {
      waitedMs += RETRY_MS;
      if (waitedMs >= GIVE_UP_MS) this.leave('lost');
      else this.peer?.reconnect();
    }, RETRY_MS);
  }

  private stopSearching(): void {
    clearInterval(this.searching);
    this.searching = undefined;
  }

  private tellWhatIsShown(): void {
    const { chatId } = this.options;
    const { local, isMuted, isCameraOff } = this.current;
    if (this.peer === null || this.sessionId === null) return;
    const camera = !isCameraOff && liveTracks(local, 'video').length > 0;
    const microphone = !isMuted && liveTracks(local, 'audio').length > 0;
    const signal = { shows: { camera, microphone } };
    this.line.send({ type: 'video_signal', chatId, sessionId: this.sessionId, signal });
  }

  /** False if it could not be opened, or was closed or opened again meanwhile. */
  private async open(): Promise<boolean> {
    const opening = (this.opening += 1);
    try {
      const opened = await openMedia();
      if (opening !== this.opening) {
        stopMedia(opened);
        return false;
      }
      stopMedia(this.current.local);
      this.take(opened, null);
      return true;
    } catch (error) {
      if (opening === this.opening) this.change({ problem: mediaSentence(error) });
      return false;
    }
  }

  /** Uses a stream as the member's own; what is muted or off stays so. */
  private take(local: MediaStream, problem: string | null): void {
    const { isMuted, isCameraOff } = this.current;
    turn(local.getAudioTracks(), !isMuted);
    turn(local.getVideoTracks(), !isCameraOff);
    const ended = () => {
      this.change({});
      this.tellWhatIsShown();
    };
    for (const track of local.getTracks()) track.addEventListener('ended', ended, { once: true });
    this.change({ local, problem });
  }

  private closeMedia(): void {
    this.opening += 1;
    stopMedia(this.current.local);
    this.change({ local: null });
  }

  private dropPeer(): void {
    this.peer?.close();
    this.peer = null;
  }

  private close(end: CallEnd): void {
    const wasIn = this.isIn;
    clearTimeout(this.ringing);
    this.stopSearching();
    this.dropPeer();
    this.sessionId = null;
    this.startsUnderWay = 0;
    this.closeMedia();
    if (wasIn) this.change({ stage: 'ended', end, remote: null, endedAt: serverNowMs() });
  }

  private change(change: Partial<CallState>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}

function turn(tracks: readonly MediaStreamTrack[] | undefined, isOn: boolean): void {
  for (const track of tracks ?? []) track.enabled = isOn;
}
