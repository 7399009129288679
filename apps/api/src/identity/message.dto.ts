export class MessageResponse {
  /** A sentence for people. */
  message: string;
}

export class AuthFeaturesResponse {
  /** Whether this installation sends mail: addresses can be confirmed, and passwords reset by mail. */
  mail: boolean;
}
