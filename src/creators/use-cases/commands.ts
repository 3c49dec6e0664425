import { Command } from '@nestjs/cqrs';
import { type ImageInfo } from '../../contract/media.js';

/** Adds a creator who is approved already and has accepted the terms; how the demo creators come in. Repeating it for a known `clerkId` changes nothing. */
export class AddApprovedCreator extends Command<{ readonly creatorId: string; readonly username: string }> {
  constructor(
    readonly creator: {
      readonly clerkId: string;
      readonly name: string;
      readonly email: string;
      /** With the leading @. */
      readonly instagram: string;
      readonly twitter: string | null;
      readonly onlyfans: string | null;
      readonly bio: string;
      readonly style: string | null;
      readonly profile: ImageInfo | null;
      readonly deploymentName: string;
    },
  ) {
    super();
  }
}
