export class MessageResponse {
  /** A sentence for people. */
  message: string;
}
