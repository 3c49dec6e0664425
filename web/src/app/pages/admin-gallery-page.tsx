import { GalleryPage } from '../../features/admin/gallery/gallery-page.js';
import { refreshCreators } from '../../features/creators/refresh-creators.js';

/** The gallery management of a creator. A save changes the public pages. */
export default function Page(): React.ReactNode {
  return <GalleryPage onSaved={refreshCreators} />;
}
