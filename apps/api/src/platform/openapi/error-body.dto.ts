/** The shape of every refusal. */
export class ErrorBody {
  /** The HTTP status. */
  statusCode: number;
  /** A stable word for programs. */
  code: string;
  /** A sentence for people. */
  message: string;
  /** Also in the header `x-request-id` and in the logs. */
  requestId: string;
}
