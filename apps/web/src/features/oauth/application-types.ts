import type { Schemas } from '@/shared/api';

/** An application as its owner sees it. */
export type Application = Schemas['ApplicationDto'];
export type NewApplication = Schemas['RegisterApplicationDto'];
/** What its owner may change later; an empty text clears a value. */
export type ApplicationEdit = Schemas['ApplicationChangesDto'];
/** An application that may act for the member. */
export type AuthorizedApplication = Schemas['AuthorizedApplicationDto'];
/** The Nova of an application. */
export type AppWallet = Schemas['ApplicationWalletDto'];
export type AppWalletEntry = Schemas['WalletEntryDto'];
/** What an application did with the member's Nova. */
export type UsedApplication = Schemas['ApplicationUseDto'];
