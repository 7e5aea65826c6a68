// First the bridge, then what looks for it.
import './fake-main'

const { showGallery } = await import('./page')
await showGallery()
