// First the bridge, then the modules that look for it.
import './fake-main'

const { showGallery } = await import('./page')
await showGallery()
