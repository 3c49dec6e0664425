import { Link } from 'react-router-dom';
import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Avatar } from '../../../components/avatar.js';
import { Seal } from '../../../components/icons.js';

interface CreatorLineProps {
  readonly name: string;
  readonly username: string;
  readonly profile: ImageInfo | null;
  readonly profileImage: string | null;
}

/** The creator of the style: portrait, name, seal, @username. Links to their page. */
export function CreatorLine({ name, username, profile, profileImage }: CreatorLineProps): React.ReactNode {
  return (
    <Link to={`/${username}`} className="group inline-flex max-w-full items-center gap-3 rounded-ctl">
      <Avatar name={name} image={profile} src={profileImage} size={44} shape="tile" />
      <span className="min-w-0">
        <span className="flex items-center gap-1.5 text-16 font-[600] leading-5 text-ink group-hover:underline">
          <span translate="no" className="truncate">
            {name}
          </span>
          <Seal className="size-4" />
        </span>
        <span translate="no" className="block truncate text-14 text-ink-2">
          @{username}
        </span>
      </span>
    </Link>
  );
}
