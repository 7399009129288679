/** What a side lets the other see and hear. */
export interface Shows {
  readonly camera: boolean;
  readonly microphone: boolean;
}

/** A message between two browsers that sets up a call, asks for another way, or says what one side shows. */
export interface Signal {
  description?: RTCSessionDescriptionInit;
  candidate?: RTCIceCandidateInit;
  restart?: true;
  shows?: Shows;
}

export interface PeerCallOptions {
  iceServers: RTCIceServer[];
  /**
   * Lets the other side make the first offer and look for new ways, and takes back its own offer if both sides make one at
   * once. Exactly one of the two sides is polite.
   */
  polite: boolean;
  send: (signal: Signal) => void;
  onRemoteStream: (stream: MediaStream) => void;
  onState: (state: RTCPeerConnectionState) => void;
}

/**
 * One side of a call between two browsers, by "perfect negotiation", but for the first offer and new ways, which one side
 * alone offers: Chromium gathers no more candidates on a connection that took back one of these.
 */
export class PeerCall {
  private readonly connection: RTCPeerConnection;
  private isOffering = false;
  private ignoresOffer = false;
  /** Candidates that arrived before their description. */
  private early: RTCIceCandidateInit[] = [];
  private taking: Promise<void> = Promise.resolve();

  constructor(private readonly options: PeerCallOptions) {
    const connection = new RTCPeerConnection({ iceServers: options.iceServers });
    this.connection = connection;
    connection.onnegotiationneeded = () => void this.offer();
    connection.onicecandidate = ({ candidate }) => {
      if (candidate !== null) options.send({ candidate: candidate.toJSON() });
    };
    connection.ontrack = ({ streams: [stream] }) => {
      if (stream !== undefined) options.onRemoteStream(stream);
    };
    connection.onconnectionstatechange = () => options.onState(connection.connectionState);
  }

  get isConnected(): boolean {
    return this.connection.connectionState === 'connected';
  }

  /** Shows the member's camera and microphone; during a call, they replace earlier ones. */
  async show(stream: MediaStream): Promise<void> {
    for (const track of stream.getTracks()) {
      const sender = this.connection.getSenders().find((known) => known.track?.kind === track.kind);
      if (sender === undefined) this.connection.addTrack(track, stream);
      else await sender.replaceTrack(track);
    }
  }

  /** Looks for a way to the other side again: the network may have changed, or a signal was lost. */
  reconnect(): void {
    if (this.options.polite) this.options.send({ restart: true });
    else this.restart();
  }

  private restart(): void {
    const { signalingState } = this.connection;
    if (signalingState === 'have-local-offer') this.sendDescription();
    else if (signalingState !== 'closed') this.connection.restartIce();
  }

  private async offer(): Promise<void> {
    // What is to be offered besides is asked for once more after the answer.
    if (this.options.polite && this.connection.remoteDescription === null) return;
    try {
      this.isOffering = true;
      await this.connection.setLocalDescription();
      this.sendDescription();
    } catch {
      // The call was closed meanwhile, or is offered anew: whoever waits for it looks for a way again.
    } finally {
      this.isOffering = false;
    }
  }

  /** Signals are handled one after the other, in the order in which they arrived. */
  receive(signal: Signal): Promise<void> {
    this.taking = this.taking.then(
      () => this.take(signal),
      () => this.take(signal),
    );
    return this.taking;
  }

  close(): void {
    this.connection.close();
  }

  private async take({ description, candidate, restart }: Signal): Promise<void> {
    if (this.connection.signalingState === 'closed') return;
    if (restart === true && !this.options.polite) this.restart();
    if (description !== undefined) await this.takeDescription(description);
    if (candidate !== undefined) await this.takeCandidate(candidate);
  }

  private async takeDescription(description: RTCSessionDescriptionInit): Promise<void> {
    const collides = description.type === 'offer' && (this.isOffering || this.connection.signalingState !== 'stable');
    this.ignoresOffer = !this.options.polite && collides;
    if (this.ignoresOffer) return;
    // The browser takes back its own offer automatically.
    await this.connection.setRemoteDescription(description);
    for (const candidate of this.early.splice(0)) await this.connection.addIceCandidate(candidate);
    if (description.type !== 'offer') return;
    await this.connection.setLocalDescription();
    this.sendDescription();
  }

  private async takeCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.connection.remoteDescription === null) {
      this.early.push(candidate);
      return;
    }
    try {
      await this.connection.addIceCandidate(candidate);
    } catch (error) {
      // Candidates of an ignored offer fit nothing.
      if (!this.ignoresOffer) throw error;
    }
  }

  private sendDescription(): void {
    const { localDescription } = this.connection;
    if (localDescription !== null) this.options.send({ description: localDescription.toJSON() });
  }
}

/** A signal from the other side, if it looks like one. */
export function readSignal(value: unknown): Signal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { description, candidate, restart, shows } = value as Record<string, unknown>;
  if (restart === true) return { restart };
  if (isObject(description)) return { description: description as unknown as RTCSessionDescriptionInit };
  if (isObject(shows))
    return { shows: { camera: shows['camera'] !== false, microphone: shows['microphone'] !== false } };
  return isObject(candidate) ? { candidate } : undefined;
}

const isObject = (field: unknown): field is Record<string, unknown> => typeof field === 'object' && field !== null;
