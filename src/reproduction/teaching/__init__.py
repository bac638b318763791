"""The live notebooks. `live`: controls above a picture; `panels`: the pictures."""
