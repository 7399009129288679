/** `GET /api/users/{id}/relation`. */
export class RelationDto {
  following: boolean;
  followsMe: boolean;
  /** Whether the caller has blocked the other; whether the other has blocked the caller is nobody's to know. */
  blocked: boolean;
}
