import { useQuery } from '@tanstack/react-query';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { thirdPartyCalls, type OpenApiDocument } from './open-api';

/** The calls for third parties, as this very server describes them. */
export const useThirdPartyCalls = () =>
  useQuery<OpenApiDocument, Error, ReturnType<typeof thirdPartyCalls>>({
    queryKey: oauthKeys.document,
    select: thirdPartyCalls,
  });
