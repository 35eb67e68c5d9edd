"""How nodes find each other: addresses, beacons, invitations, the way in."""
